import { Suspense } from 'react';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { HelpButton } from '../actions/HelpButton.tsx';
import { qualifiedName, refIn } from '../actions/acting.ts';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { lowerFirst } from '../../data/live/freshness.ts';
import { useMay } from '../../data/may-act.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { sectionLook } from '../../kit/Section.tsx';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const LastWords = lazyPart(async () => (await import('../logs/LastWords.tsx')).LastWords);

interface AttentionNotesProps {
  readonly lines: readonly AttentionLine[];
  readonly self: ObjectRef;
  readonly kind: Pick<KindFacts, 'id'>;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The troubles of an object, the cause first, each with the action that helps. */
export function AttentionNotes({ lines, self, kind, now }: AttentionNotesProps) {
  const may = useMay(self.cluster);
  if (lines.length === 0) return null;
  const clusterId = Number(self.cluster);
  return (
    <div className={`${sectionLook} flex flex-col gap-2`}>
      {lines.map((line) => {
        const others = line.objects.filter((one) => one.kind !== kind.id || one.name !== self.name);
        const [ended] = line.objects;
        return (
          <Note key={line.key} tone={line.tone} role="status">
            <Glyph tone={line.tone} size={13} />
            <div className="min-w-0 flex-1">
              <b className="font-semibold">{line.title}</b>
              {line.since !== null && (
                <span className="text-text-2"> {formatAge(now / 1000 - line.since)}</span>
              )}
              {line.detail !== null && <p className="wrap-anywhere whitespace-pre-line">{line.detail}</p>}
              {line.log !== undefined && ended?.namespace !== undefined && may('pods.view') && (
                <Suspense>
                  <LastWords
                    cluster={self.cluster}
                    namespace={ended.namespace}
                    pod={ended.name}
                    {...line.log}
                    since={line.since}
                  />
                </Suspense>
              )}
              {others.length > 0 && (
                <p className="text-text-2">
                  {line.count > 1 &&
                    `${line.count} ${lowerFirst(kindById(others[0]?.kind ?? '')?.title ?? 'objects')}: `}
                  {others.slice(0, 3).map((one, index) => (
                    <span key={qualifiedName(one)}>
                      {index > 0 && ', '}
                      <ObjectLink to={refIn(clusterId, one)}>{one.name}</ObjectLink>
                    </span>
                  ))}
                  {line.count > 3 && ' …'}
                </p>
              )}
              {line.action !== null && (
                <div className="mt-2 flex min-w-0 flex-wrap items-center gap-1.5">
                  <HelpButton action={line.action} clusterId={clusterId} saysWhy />
                </div>
              )}
            </div>
          </Note>
        );
      })}
    </div>
  );
}
