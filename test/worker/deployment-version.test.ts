import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { register } from 'prom-client';
import {
  publishBuildInfo,
  readCommit,
  readDeploymentVersion,
} from '../../worker/deployment-version.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

async function git(folder: string, ...args: string[]): Promise<string> {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@shop.example'];
  const { code, stdout, stderr } = await runProgram('git', ['-C', folder, ...author, ...args]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

/** A checkout with one commit, and a tag, which is no build id. */
async function makeCheckout(): Promise<{ folder: string; commit: string; file: string }> {
  const folder = newFolder();
  const file = path.join(folder, 'workflow.ts');
  await writeFile(file, 'export {};\n');
  await git(folder, 'init', '--quiet');
  await git(folder, 'add', '.');
  await git(folder, 'commit', '--quiet', '--message', 'First');
  await git(folder, 'tag', '--annotate', 'v1', '--message', 'v1');
  return { folder, file, commit: await git(folder, 'rev-parse', 'HEAD') };
}

describe('the build id of a worker', () => {
  test('is the commit of its checkout, and says where files differ from it', async () => {
    const { folder, file, commit } = await makeCheckout();
    expect(commit).toMatch(/^[\da-f]{40}$/);
    expect(await readCommit(folder)).toBe(commit);
    await writeFile(file, 'export const changed = true;\n');
    expect(await readCommit(folder)).toBe(`${commit}-dirty`);
  });

  test('is needed where there is no checkout, also below one of something else', async () => {
    const { folder } = await makeCheckout();
    const below = path.join(folder, 'unpacked');
    await mkdir(below);
    for (const place of [newFolder(), below])
      await expect(readCommit(place)).rejects.toThrow(
        /^The configuration is not valid:\n {2}WORKER_BUILD_ID: is needed with WORKER_DEPLOYMENT/,
      );
  });

  test('is the given one, where one is given; without a deployment there is no version', async () => {
    const buildId = '2026-03-01';
    expect(await readDeploymentVersion({ deploymentName: 'leads', buildId })).toEqual({
      deploymentName: 'leads',
      buildId,
    });
    expect(await readDeploymentVersion({ deploymentName: null, buildId })).toBeNull();
  });
});

test('the metrics page names deployment, build id and SDK', async () => {
  const version = { deploymentName: 'leads', buildId: '6c31283-dirty' };
  publishBuildInfo({ deploymentName: 'leads', buildId: null }, version);
  expect(await register.metrics()).toMatch(
    /^worker_build_info\{deployment="leads",build_id="6c31283-dirty",sdk_version="1\.\d+\.\d+"\} 1$/m,
  );
});
