import { useEffect, useEffectEvent, useState } from 'react';
import { type ChatTurn, type NumberedPart, turnStreamPath } from '../../../contract/chat.ts';
import { fillPath } from '../../../registry/path.ts';
import { AnswerStream } from '../../data/answer-stream.ts';

/** A turn whose answer is under way, as it is at this moment. */
export function useAnswer(clusterId: number, turn: ChatTurn, onEnded: () => void): ChatTurn {
  const [more, setMore] = useState<readonly NumberedPart[]>([]);
  const [withheld, setWithheld] = useState<string | undefined>(undefined);
  const ended = useEffectEvent(onEnded);
  const lastKnown = useEffectEvent(() => turn.parts.at(-1)?.number ?? 0);
  const { id } = turn;
  useEffect(() => {
    const stream = new AnswerStream({
      path: fillPath(turnStreamPath, { clusterId: String(clusterId), turnId: id }),
      after: lastKnown(),
      open: (href) => new EventSource(href),
      statusOf,
      onNews: (news) => {
        setMore((parts) => [...parts, ...news.parts]);
        if (news.withheld !== undefined) setWithheld(news.withheld);
        if (news.isOver) ended();
      },
    });
    return () => stream.close();
  }, [clusterId, id]);
  const known = turn.parts.at(-1)?.number ?? 0;
  return {
    ...turn,
    // A question that was withheld until its answer began: what comes by the stream may be seen.
    withheld: withheld ?? (more.length > 0 ? null : turn.withheld),
    parts: [...turn.parts, ...more.filter(({ number }) => number > known)],
  };
}

/** The status of a stream, which is not read. */
async function statusOf(href: string): Promise<number> {
  const asked = new AbortController();
  try {
    return (await fetch(href, { signal: asked.signal })).status;
  } finally {
    asked.abort();
  }
}
