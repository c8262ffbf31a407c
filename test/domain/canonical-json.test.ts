import { canonicalJson, contentHash } from '../../domain/canonical-json.ts';

describe('a content hash', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe(
      '{"a":"x","b":[{"c":null,"d":1}]}',
    );
    expect(contentHash({ a: 1, b: 2 })).toBe(contentHash({ b: 2, a: 1 }));
  });

  it('depends on the order of a list and on every value', () => {
    expect(contentHash([1, 2])).not.toBe(contentHash([2, 1]));
    expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: '1' }));
  });

  it('is the SHA-256 of the canonical JSON', () => {
    expect(contentHash({})).toBe(
      '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    );
  });

  it('is the one that rosters were stored with', () => {
    const agent = {
      id: '5b0d2a6e-7a43-4a5e-9d1c-0f0b4a3b2c1d',
      languages: ['ar', 'en'],
      workingHours: { sat: '10:00-14:00', 'mon-fri': '09:00-18:00' },
      dailyCap: null,
      weight: 1.5,
      name: 'سارة "x"\u2028',
    };
    expect(contentHash({ teams: [], agents: [agent] })).toBe(
      '9a1e1f59c754316209ca0c31d884533ab2c86be8c2fd22be3841b8b6cb097fe8',
    );
  });

  it('is the same after a round trip through JSON', () => {
    const value = { at: new Date(0), gone: undefined, text: 'دبي' };
    expect(contentHash(JSON.parse(JSON.stringify(value)))).toBe(contentHash(value));
  });
});
