/** The first page of the rendered reference. */
export const introduction = `
Takes in sales enquiries (leads), matches each to a contact, and sees it through to an agent.

**First steps.** Fetch a token with your client id and secret, post a lead, then either read who it was
assigned to or wait for the \`lead.assigned\` webhook. The service is called from a backend only: no CORS
header is ever sent.

**Forgiving intake.** A value that matches no record of the CRM never fails a create: the lead is made,
the value comes back in \`intakeUnresolved\`, and unknown fields are kept with the lead. What a create needs is
at least one phone or e-mail.

**Merging.** A second enquiry from the same phone or e-mail within about 24 hours gets 201 with
\`merged: true\` and the id of the lead that survives. Branch on \`merged\` first.

**Retries.** Retry a create only on network timeouts, 429 and 5xx. On a 401 fetch a fresh token once and
retry once.

**Parameters.** An unknown or repeated query parameter gets 422 on every endpoint, and so are two
names of one parameter with different values.
`.trim();
