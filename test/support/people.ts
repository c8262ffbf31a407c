/** Whom the scenarios are about: words that must not be found in any history. */
export const people = {
  customer: { leadFirstName: 'Zarifa', leadLastName: 'Quillfeather' },
  agent: { name: 'Yusufali Brandywine', phone: '+971509998877' },
} as const;

export const names = ['Zarifa', 'Quillfeather', 'Yusufali', 'Brandywine'];
