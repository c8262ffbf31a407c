import leven from 'leven';

export type NameForms = readonly { name: string; form: string }[];

export function nearestName(sent: string, forms: NameForms): string | undefined {
  const form = plainForm(sent);
  const maxDistance = allowedTypos(form);
  const distances = forms.map((known) => ({
    name: known.name,
    distance: leven(form, known.form, { maxDistance: maxDistance + 1 }),
  }));
  const [best] = distances.toSorted((a, b) => a.distance - b.distance);
  return best && best.distance <= maxDistance ? best.name : undefined;
}

/** A short name allows fewer typing errors, since it soon is another word. */
function allowedTypos({ length }: string): number {
  if (length < 5) return 0;
  return length < 8 ? 1 : 2;
}

export function plainForm(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
