import type { ChatPart, NumberedPart } from '../../../src/contract/chat.ts';
import type { TestClient } from '../http-client.ts';

/** What a stream of an answer gave until it ended. */
export interface StreamedAnswer {
  readonly status: number;
  readonly parts: readonly NumberedPart[];
  readonly withheld: string | undefined;
}

/** Reads the stream of an answer to its end. @param after the last part that is known */
export async function readAnswer(
  client: TestClient,
  clusterId: number,
  turnId: string,
  after = 0,
): Promise<StreamedAnswer> {
  const answer = await client.send(
    'GET',
    `/api/clusters/${clusterId}/chat/turns/${turnId}/stream?after=${after}`,
  );
  const events = answer.text.split('\n\n').filter((text) => text.includes('data: '));
  let withheld: string | undefined;
  const parts: NumberedPart[] = [];
  for (const event of events) {
    const data = JSON.parse(event.slice(event.indexOf('data: ') + 6)) as ChatPart & { withheld?: string };
    if (event.startsWith('event: withheld')) withheld = data.withheld;
    else parts.push({ number: Number(/^id: (\d+)/.exec(event)?.[1]), part: data });
  }
  return { status: answer.status, parts, withheld };
}
