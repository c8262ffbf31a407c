import { findServer, type Probes } from '../../dev/temporal/locate.ts';

type Source = 'onPath' | 'cached' | 'download' | 'build';

/** Probes that find what is named, and a list of those that were asked. */
function probes(...there: (Source | 'given')[]) {
  const asked: string[] = [];
  const probe = (name: Source) => async () => {
    asked.push(name);
    return there.includes(name) ? `/${name}/temporal` : null;
  };
  const all: Probes = {
    isUsable: async () => there.includes('given'),
    onPath: probe('onPath'),
    cached: probe('cached'),
    download: probe('download'),
    build: probe('build'),
  };
  return { asked, all };
}

const nothing = { address: undefined, binary: undefined };

describe('a Temporal server is found', () => {
  test('at the address that is given, without asking further', async () => {
    const { all, asked } = probes('given', 'onPath');
    const configured = { address: 'temporal.example:7233', binary: '/given' };
    expect(await findServer(configured, all)).toEqual({
      kind: 'address',
      address: 'temporal.example:7233',
    });
    expect(asked).toEqual([]);
  });

  test('in the binary that is given, before the one on PATH', async () => {
    const { all, asked } = probes('given', 'onPath');
    const found = await findServer({ address: undefined, binary: '/given' }, all);
    expect(found).toEqual({ kind: 'binary', path: '/given' });
    expect(asked).toEqual([]);
  });

  test.each<[Source, Source[]]>([
    ['onPath', ['onPath']],
    ['cached', ['onPath', 'cached']],
    ['download', ['onPath', 'cached', 'download']],
    ['build', ['onPath', 'cached', 'download', 'build']],
  ])('by %s, after asking %j', async (source, order) => {
    const { all, asked } = probes(source);
    expect(await findServer(nothing, all)).toEqual({ kind: 'binary', path: `/${source}/temporal` });
    expect(asked).toEqual(order);
  });

  test('nowhere: the error says what to do', async () => {
    await expect(findServer(nothing, probes().all)).rejects.toThrow(/TEMPORAL_BINARY.*Go/s);
  });

  test('not in a given binary that is something else: that is an error, not a reason to continue', async () => {
    const { all, asked } = probes('onPath');
    await expect(findServer({ address: undefined, binary: '/bin/ls' }, all)).rejects.toThrow(
      '/bin/ls',
    );
    expect(asked).toEqual([]);
  });
});
