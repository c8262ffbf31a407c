import { openConnections, postLead } from '../send.ts';

const agent = openConnections();

/** Sends the lead of a person of its own. */
export function sendLead(baseUrl: string, token: string, person: number): Promise<void> {
  return postLead(`${baseUrl}/public/leads`, {
    token,
    agent,
    body: {
      leadPhones: [`+97150${1_000_000 + person}`],
      leadEmails: [`person${person}@mail.example`],
      leadFirstName: 'Layla',
      initialInquiry: 'Two bedrooms with a sea view, please.',
    },
  });
}
