import { area, person, source } from '../details.ts';
import type { MakeBody, Scene } from '../enquiry.ts';
import { messageIn } from '../messages.ts';

/** An enquiry about a listing, from a property portal. */
export const portal: MakeBody = (scene) => ({
  ...person(scene),
  ...source(scene, /./, true),
  ...listing(scene),
  ...(scene.dice.chance(0.2) && { budgetMax: String(scene.dice.int(5, 40) * 100_000) }),
  initialInquiry: messageIn(scene.who.language, area(scene), scene.dice),
  integrationRef: 'portal-inbox',
});

function listing({ catalogue, dice }: Scene) {
  const ambiguous = catalogue.ambiguousReferenceNos;
  if (ambiguous.length > 0 && dice.chance(0.1)) return { referenceNo: dice.pick(ambiguous) };
  if (catalogue.referenceNos.length === 0) return {};
  const referenceNo = dice.pick(catalogue.referenceNos);
  return { referenceNo: dice.chance(0.2) ? ` ${referenceNo.toLowerCase()} ` : referenceNo };
}
