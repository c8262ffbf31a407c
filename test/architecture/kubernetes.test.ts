import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { environment } from '../../platform/config.ts';

const FOLDER = new URL('../../deploy/kubernetes/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests of every kind
type Manifest = any;

const kustomization = parse(textOf('kustomization.yaml')) as {
  resources: string[];
  images: { name: string }[];
};
const manifests: readonly Manifest[] = kustomization.resources.flatMap((file) =>
  parseAllDocuments(textOf(file)).map((document) => document.toJS() as unknown),
);
const ofKind = (...kinds: string[]) =>
  manifests
    .filter(({ kind }) => kinds.includes(kind as string))
    .map((manifest) => [manifest.metadata.name as string, manifest] as const);
const podsOf = (manifest: Manifest) => manifest.spec.template;
const programs = ofKind('Deployment', 'Job');
const deployments = ofKind('Deployment');

/** What the schema of the Kubernetes API says of a manifest, and the paths of fields that it does not know. */
async function faultsOf(manifest: Manifest): Promise<unknown[]> {
  const [version, group = 'core'] = manifest.apiVersion.split('/').toReversed() as string[];
  const name = [group.split('.')[0] ?? '', version ?? '', manifest.kind as string]
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const { validate } = await import(`kubernetes-models/_schemas/IoK8sApi${name}`);
  const { watched, unread } = watchReads(manifest);
  validate(watched);
  return [...(validate.errors ?? []), ...unread()];
}

/** The schemas let through what they do not know; but they read every field that they know. */
function watchReads(manifest: object) {
  const paths = new Set<string>();
  const known = new Set<string>();
  function watch(part: unknown, path: string): unknown {
    if (typeof part !== 'object' || part === null) return part;
    for (const key of Object.keys(part)) paths.add(`${path}.${key}`);
    return new Proxy(part, {
      get(target, key) {
        known.add(`${path}.${String(key)}`);
        return watch(Reflect.get(target, key), `${path}.${String(key)}`);
      },
      ownKeys(target) {
        for (const key of Object.keys(target)) known.add(`${path}.${key}`);
        return Reflect.ownKeys(target);
      },
    });
  }
  return {
    watched: watch(manifest, ''),
    unread: () => [...paths].filter((path) => !known.has(path)),
  };
}

test('every file of the folder is used', () => {
  const used = ['kustomization.yaml', 'settings.env', ...kustomization.resources];
  expect(readdirSync(FOLDER).toSorted()).toEqual(used.toSorted());
});

test.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]))(
  '%s is valid by the schema of the Kubernetes API',
  async (_name, manifest) => {
    expect(await faultsOf(manifest)).toEqual([]);
    const { metadata } = manifest;
    expect(await faultsOf({ ...manifest, metadata: { ...metadata, label: {} } })).toEqual([
      '.metadata.label',
    ]);
    expect(await faultsOf({ ...manifest, metadata: { ...metadata, name: 7 } })).not.toEqual([]);
  },
);

describe('every program', () => {
  test.each(programs)('%s runs as the image’s account, with no rights and bounds', (_name, it) => {
    const { spec } = podsOf(it);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(spec.automountServiceAccountToken).toBe(false);
    for (const { image, resources, securityContext } of spec.containers) {
      expect(kustomization.images.map(({ name }) => name)).toContain(image);
      for (const bound of [resources.requests, resources.limits])
        expect(Object.keys(bound)).toEqual(['cpu', 'memory']);
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test.each(deployments)('%s is probed, budgeted and scaled', (name, it) => {
    const { labels } = podsOf(it).metadata;
    expect(it.spec.selector.matchLabels).toEqual(labels);
    const [{ ports, ...container }] = podsOf(it).spec.containers;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(ports.map((port: Manifest) => port.name)).toContain(container[probe].httpGet.port);
    const [, budget] = ofKind('PodDisruptionBudget').find(([of]) => of === name) ?? [];
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    const [, scaler] = ofKind('HorizontalPodAutoscaler').find(([of]) => of === name) ?? [];
    expect(scaler.spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name });
    // The autoscaler's own; applied again, it would scale down.
    expect(it.spec).not.toHaveProperty('replicas');
  });

  test('gets variables that it reads, and secrets from a Secret alone', () => {
    const given = [...textOf('settings.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const read = [...Object.keys(environment.shape), 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];
    expect(given.filter((name) => !read.includes(name ?? ''))).toEqual([]);
    expect(given.filter((name) => /SECRET|PASSWORD|DATABASE_URL|_KEY/.test(name ?? ''))).toEqual(
      [],
    );
    const secretsOf = ([name, it]: readonly [string, Manifest]) => [
      name,
      podsOf(it)
        .spec.containers[0].envFrom.map((from: Manifest) => from.secretRef?.name)
        .filter(Boolean),
    ];
    expect(Object.fromEntries(programs.map(secretsOf))).toEqual({
      api: ['lead-intake'],
      worker: ['lead-intake'],
      migrate: ['lead-intake', 'lead-intake-migrate'],
    });
  });

  test('reaches and is reached by whom a policy names alone', () => {
    const policies = Object.fromEntries(ofKind('NetworkPolicy'));
    expect(policies['deny-all'].spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const names = new Set(programs.map(([name]) => name));
    for (const [, { spec }] of ofKind('NetworkPolicy')) {
      const { matchLabels = {}, matchExpressions = [] } = spec.podSelector;
      const chosen = [
        ...Object.values(matchLabels),
        ...matchExpressions.flatMap((each: Manifest) => each.values),
      ];
      for (const name of chosen) expect(names).toContain(name);
    }
  });
});
