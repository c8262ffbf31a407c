import { createHash, randomBytes, randomInt } from 'node:crypto';

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  maxLength?: number;
}

/** Phones of every set of sentinels: two persons share none. */
const drawn = new Set<string>();

/** Values that stand nowhere else, each with the field that it was sent in. */
export function createSentinels(schemas: Record<string, unknown>) {
  const sent = new Map<string, string>();

  function keep(value: string, field: string): string {
    sent.set(value, field);
    drawn.add(value);
    return value;
  }
  const word = (field: string) => keep(`Zq${randomBytes(7).toString('hex')}`, field);
  function phone(field: string): string {
    // The simulated registry gives no answer to a number that ends in 9.
    const value = `+97150${randomInt(100_000, 1_000_000)}${randomInt(0, 9)}`;
    return drawn.has(value) ? phone(field) : keep(value, field);
  }
  const email = (field: string) => keep(`${word(field)}@${word(field)}.example`, field);

  /** A valid value of the document's schema, with a sentinel wherever a text of that length fits. */
  function fill(schema: Schema, field: string): unknown {
    if (schema.$ref) return fill(schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema, field);
    if (schema.properties) {
      const { properties } = schema;
      return Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, fill(each, `${field}.${name}`)]),
      );
    }
    if (schema.items) return [fill(schema.items, field)];
    const type = [schema.type].flat()[0];
    if (schema.anyOf && (type === undefined || !schema.anyOf.some((each) => each.maxLength)))
      return fill(schema.anyOf[0] ?? {}, field);
    if (type === 'object') return { [word(field)]: word(field) };
    if (type === 'boolean') return true;
    if (type === 'number' || type === 'integer') return 7;
    return text(schema, field);
  }

  function text({ maxLength, anyOf = [] }: Schema, field: string): string {
    if (/phones/i.test(field)) return phone(field);
    if (/emails/i.test(field)) return email(field);
    if (/budget/.test(field)) return keep(String(randomInt(1e11, 1e12)), field);
    if (/(\.date|At)$/.test(field)) return '2026-01-02T03:04:05Z';
    if (field.endsWith('direction')) return 'inbound';
    const longest = Math.min(
      ...[maxLength, ...anyOf.map((each) => each.maxLength)].map((n) => n ?? 99),
    );
    return longest < 16 ? 'AED' : word(field);
  }

  return {
    word,
    phone,
    email,
    fill: (name: string, field = name) => fill({ $ref: name }, field) as Record<string, unknown>,
    /** The fields whose values stand in `place`, in any of the forms that a program might write them in. */
    foundIn(place: string): string[] {
      const lower = place.toLowerCase();
      const pieces = piecesOf(lower);
      return [...sent].flatMap(([value, field]) => {
        const found = formsOf(value).find((form) => pieces.includes(form.toLowerCase()));
        return found === undefined
          ? []
          : [`${field}: ${excerpt(place, lower.indexOf(found.toLowerCase()))}`];
      });
    },
    /** The fields whose values stand in `place` as they were sent: quick, for many sentinels and long texts. */
    writtenIn(place: string): string[] {
      const known = new Map([...sent].map(([value, field]) => [plain(value), field]));
      const written = place.match(WORD_OR_PHONE) ?? [];
      return [...new Set(written.flatMap((text) => known.get(plain(text)) ?? []))];
    },
    get count() {
      return sent.size;
    },
  };
}

/** The fraction of a second in a history's times is no phone. */
const WORD_OR_PHONE =
  /zq[0-9a-f]{14}|(?<![0-9a-f]|:\d\d\.|"nanos": ?)(?:\+?971|00971|0)?50\d{7}(?![0-9a-f])/gi;

const plain = (value: string) => value.toLowerCase().replace(/^(\+|00)?971|^0/, '');

/** The fraction of a second in a history's times. */
const FRACTION = /(?<=:\d\d\.|"nanos": ?)\d{9}(?!\d)/g;

/**
 * What stands between spaces and quotes, each once: rows, histories and logs say the same over and over. Of many fractions
 * of a second one may have the digits of a phone.
 */
function piecesOf(place: string): string {
  const pieces = place.replaceAll(FRACTION, '').split(/[\s"]+/);
  return [...new Set(pieces)].join('\n');
}

const excerpt = (place: string, at: number) => place.slice(Math.max(0, at - 120), at + 60);

function formsOf(value: string): string[] {
  const digits = /^\+971(\d{9})$/.exec(value)?.[1];
  const spelt = digits
    ? [value, `971${digits}`, `0${digits}`, digits]
    : [value, value.toLowerCase()];
  return [...new Set(spelt)].flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('hex'),
    ...[0, 1, 2].map((offset) => base64Within(text, offset)),
    ...(['hex', 'base64', 'base64url'] as const).map((form) =>
      createHash('sha256').update(text).digest(form),
    ),
  ]);
}

/** What of `text` is the same in base64 whatever stands around it, `offset` bytes into a group of three. */
function base64Within(text: string, offset: number): string {
  const whole = Buffer.from(' '.repeat(offset) + text)
    .toString('base64')
    .replace(/=+$/, '');
  return whole.slice(offset === 0 ? 0 : offset + 1, -2);
}
