import type { LeadCreate } from '../../client/generated.ts';
import { area, known, moment, oneOf, person, source } from '../details.ts';
import type { MakeBody, Scene } from '../enquiry.ts';
import { chatLine, messageIn } from '../messages.ts';

/** WhatsApp clicks, calls and direct messages, with the conversation so far. */
export const chatOrCall: MakeBody = (scene) => {
  const { who, dice, catalogue } = scene;
  const place = area(scene);
  return {
    ...person(scene),
    leadPhones: [who.phone],
    ...source(scene, /whatsapp|call|phone|chat/i),
    ...oneOf('eventType', known(catalogue.eventTypes, /whatsapp|call|dm|push/i), scene),
    ...(dice.chance(0.6) && { areaOfInterest: place.name }),
    initialInquiry: messageIn(who.language, place, dice),
    languages: [who.language, ...(dice.chance(0.3) ? ['English'] : [])],
    integrationRef: 'messaging',
    comments: conversation(scene),
  };
};

/** Now and then more than the five that one request may carry. */
function conversation(scene: Scene): NonNullable<LeadCreate['comments']> {
  const lines = scene.dice.chance(0.1) ? 7 : scene.dice.int(1, 4);
  return Array.from({ length: lines }, (_, index) => {
    const direction = index % 2 === 0 ? 'inbound' : 'outbound';
    return {
      date: moment(scene, index),
      text: chatLine(direction, scene.dice),
      channel: 'whatsapp',
      direction,
      externalId: `wa-${scene.seed}-${scene.number}-${index}`,
    };
  });
}
