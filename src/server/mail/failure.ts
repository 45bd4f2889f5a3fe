/** Facts of a failed try for the log: codes only, since a mail server may quote the mail in its words. */
export interface MailFailureFacts {
  /** nodemailer's code, e.g. EAUTH. */
  readonly code: string;
  /** The SMTP reply code, if the server answered. */
  readonly reply: number | undefined;
}

/** What a failed try means in words, and its facts for the log. */
export function describeMailFailure(error: unknown): { problem: string; facts: MailFailureFacts } {
  const facts = factsOf(error);
  return { problem: sentenceOf(facts), facts };
}

/** Whether another try would fail alike: the server said so, or the settings are wrong. */
export function isFinal(error: unknown): boolean {
  const { code, reply } = factsOf(error);
  return code === 'EAUTH' || code === 'ETLS' || (reply !== undefined && reply >= 500);
}

function factsOf(error: unknown): MailFailureFacts {
  const { code, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
  };
  return {
    code: typeof code === 'string' ? code : 'unknown',
    reply: typeof responseCode === 'number' ? responseCode : undefined,
  };
}

function sentenceOf({ code, reply }: MailFailureFacts): string {
  const answer = reply === undefined ? '' : ` (it answered ${reply})`;
  if (code === 'EAUTH')
    return `The mail server refused the console's login${answer}. Tell the operator of this console.`;
  if (code === 'ETLS')
    return 'The connection to the mail server could not be secured. Tell the operator of this console.';
  if (code === 'EENVELOPE')
    return `The mail server refused the address${answer}. Check it, or send the link another way.`;
  if (reply !== undefined)
    return `The mail server refused the mail${answer}. Send the link another way, or tell the operator of this console.`;
  return 'The mail server cannot be reached. Send the link another way, or tell the operator of this console.';
}
