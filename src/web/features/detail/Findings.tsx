import { useQuery } from '@tanstack/react-query';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { Diagnosis, Evidence, Finding } from '../../../contract/diagnosis.ts';
import type { Ref } from '../../../contract/objects.ts';
import { formatAge } from '../../../kube/age.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { objectPath } from '../../data/object-path.ts';
import { useData } from '../../data/port.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { Section } from '../../kit/Section.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { FindingHelp } from '../actions/FindingHelp.tsx';
import { qualifiedName, refIn } from '../actions/acting.ts';
import { WriterNotes } from '../actions/WriterNotes.tsx';
import type { RelatedLine } from './related.ts';

interface FindingsProps {
  readonly self: ObjectRef;
  /** Its troubles: other troubles are asked about anew. */
  readonly attention: readonly AttentionLine[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** What tells troubles from others, but not how long they last. */
const markOf = (attention: readonly AttentionLine[]): string =>
  attention.map(({ key, count }) => `${key} ${count}`).join('\n');

/** The first block of the page of an object in trouble: the causes that rules found. Nothing while they found none. */
export function Findings({ self, attention, now }: FindingsProps) {
  const { queries } = useData();
  const { data } = useQuery(queries.diagnosis(self, markOf(attention)));
  const told = new Set(attention.map(({ rule }) => rule));
  // What the troubles below say in the same words needs no saying twice.
  const findings = data?.findings.filter(({ rule, path }) => path.length > 1 || !told.has(rule)) ?? [];
  return (
    <div role="status">
      {findings.length > 0 && (
        <Section title="Why" about="found by rules">
          <FindingList self={self} findings={findings} notes={data?.notes ?? []} now={now} />
        </Section>
      )}
    </div>
  );
}

/** All that rules find in an object, as a view of its own. */
export function WhyView({ self, attention, now }: FindingsProps) {
  const { queries } = useData();
  const { data, error, isFetching, refetch } = useQuery(queries.diagnosis(self, markOf(attention)));
  return (
    <ViewBody isScrolled className="@container" data-part="why">
      <Section title="Why" about="found by rules, without guessing">
        <div role="status" aria-busy={isFetching} className="flex flex-col gap-2">
          {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <p className="text-text-2">Looking for the cause…</p>}
          {data?.gone !== undefined && <Traces cluster={self.cluster} gone={data.gone} now={now} />}
          {data?.findings.length === 0 && data.gone === undefined && (
            <p className="flex gap-1.5 *:[svg]:mt-0.75">
              <Glyph tone={data.notes.length === 0 ? 'ok' : 'info'} size={12} />
              {data.notes.length === 0
                ? 'The rules find nothing wrong with it or with its dependencies.'
                : 'The rules find nothing wrong in what they could examine.'}
              {data.examined !== undefined && ` Examined: ${data.examined}.`}
            </p>
          )}
          {data !== undefined && (
            <FindingList self={self} findings={data.findings} notes={data.notes} now={now} />
          )}
          {data !== undefined && data.gone === undefined && (
            <WriterNotes refs={[self]} title="Who writes it next" />
          )}
        </div>
      </Section>
    </ViewBody>
  );
}

interface TracesProps {
  readonly cluster: string;
  readonly gone: NonNullable<Diagnosis['gone']>;
  readonly now: number;
}

/** That an object is not there, with what still tells of it. */
function Traces({ cluster, gone: { sentence, evidence }, now }: TracesProps) {
  return (
    <Note tone="info">
      <Glyph tone="info" size={13} />
      <div className="min-w-0 flex-1">
        <b className="font-semibold wrap-anywhere">{sentence}</b>
        <ul className="mt-1 flex flex-col gap-1">
          <EvidenceItems cluster={cluster} evidence={evidence} now={now} />
        </ul>
      </div>
    </Note>
  );
}

interface GoneTracesProps {
  readonly self: ObjectRef;
  /** What owned it, as far as that is known. */
  readonly owners: readonly RelatedLine[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** What still tells of an object that is gone, below the sentence that says so; nothing where nothing does. */
export function GoneTraces({ self, owners, now }: GoneTracesProps) {
  const { queries } = useData();
  const { data } = useQuery(queries.diagnosis(self, 'gone'));
  const events = data?.gone?.evidence.filter(({ type }) => type === 'event') ?? [];
  return (
    <div role="status">
      {(events.length > 0 || owners.length > 0) && (
        <Section title="What is still known">
          <ul className="flex flex-col gap-1">
            {owners.map(({ kind, name, ref }) => (
              <li key={`${kind} ${name}`}>
                It belonged to {kind} <ObjectLink to={ref}>{name}</ObjectLink>
              </li>
            ))}
            <EvidenceItems cluster={self.cluster} evidence={events} now={now} self={self} />
          </ul>
        </Section>
      )}
    </div>
  );
}

interface FindingListProps {
  /** The object whose page it is. */
  readonly self: ObjectRef;
  readonly findings: readonly Finding[];
  /** What could not be looked at: whole sentences. */
  readonly notes: readonly string[];
  readonly now: number;
}

function FindingList({ self, findings, notes, now }: FindingListProps) {
  if (findings.length === 0 && notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {findings.map((finding) => (
        <li key={`${finding.rule} ${finding.object.kind} ${qualifiedName(finding.object)}`}>
          <FindingNote self={self} finding={finding} now={now} />
        </li>
      ))}
      {notes.map((note) => (
        <li key={note} className="text-text-2">
          {note}
        </li>
      ))}
    </ul>
  );
}

interface FindingNoteProps {
  readonly self: ObjectRef;
  readonly finding: Finding;
  readonly now: number;
}

function FindingNote({ self, finding, now }: FindingNoteProps) {
  const { tone, sentence, detail, object, kindName, count, path, evidence } = finding;
  const { cluster } = self;
  const clusterId = Number(cluster);
  // The page has the name of its own object already.
  const isOwn = path.length === 1 && count === 1 && isSameObject(object, self);
  return (
    <Note tone={tone}>
      <Glyph tone={tone} size={13} />
      <div className="min-w-0 flex-1">
        <b className="font-semibold wrap-anywhere">{sentence}</b>
        {detail !== undefined && <p className="wrap-anywhere">{detail}</p>}
        {!isOwn && (
          <p className="text-text-2 wrap-anywhere">
            {kindName} <ObjectLink to={refIn(clusterId, object)}>{object.name}</ObjectLink>
            {count > 1 && ` and ${count - 1} more`}
            {path.length > 2 && (
              <>
                {', by way of '}
                {path.slice(1, -1).map((one, index) => (
                  <span key={`${one.kind} ${qualifiedName(one)}`}>
                    {index > 0 && ', '}
                    <NamedLink cluster={cluster} to={one} />
                  </span>
                ))}
              </>
            )}
          </p>
        )}
        <details className="mt-1" open>
          <summary className="cursor-pointer text-text-2 narrow:min-h-11 narrow:content-center">
            Evidence ({evidence.length})
          </summary>
          <ul className="mt-1 flex flex-col gap-1">
            <EvidenceItems cluster={cluster} evidence={evidence} now={now} self={self} />
          </ul>
        </details>
        <FindingHelp className="mt-2" clusterId={clusterId} finding={finding} />
      </div>
    </Note>
  );
}

function NamedLink({ cluster, to }: { readonly cluster: string; readonly to: Ref }) {
  return (
    <>
      {kindLabel(to.kind)} <ObjectLink to={refIn(Number(cluster), to)}>{to.name}</ObjectLink>
    </>
  );
}

interface EvidenceItemsProps {
  readonly cluster: string;
  readonly evidence: readonly Evidence[];
  readonly now: number;
  /** The object whose page it is: it is neither named nor linked again. */
  readonly self?: ObjectRef;
}

/** Evidence as the items of a list. */
function EvidenceItems({ cluster, evidence, now, self }: EvidenceItemsProps) {
  return evidence.map((one) => (
    <li key={JSON.stringify(one)} className="wrap-anywhere">
      <EvidenceLine cluster={cluster} evidence={one} now={now} isAboutSelf={isSameObject(one.ref, self)} />
    </li>
  ));
}

const isSameObject = (ref: Ref, other: ObjectRef | undefined): boolean =>
  other?.kind === ref.kind && other.name === ref.name && other.namespace === ref.namespace;

interface EvidenceLineProps {
  readonly cluster: string;
  readonly evidence: Evidence;
  readonly now: number;
  /** The reader knows which object it is. */
  readonly isAboutSelf: boolean;
}

/** One piece of evidence, with the object in which it can be looked up. */
function EvidenceLine({ cluster, evidence, now, isAboutSelf }: EvidenceLineProps) {
  const named = <NamedLink cluster={cluster} to={evidence.ref} />;
  const ago = (at: number | null) => (at === null ? '' : ` ${formatAge(now / 1000 - at)} ago`);
  switch (evidence.type) {
    case 'field':
      return (
        <>
          {!isAboutSelf && <>{named}: </>}
          <code className="font-mono text-text-2">{evidence.path}</code>{' '}
          {evidence.value === null ? 'is not set' : <q className="font-mono">{evidence.value}</q>}
        </>
      );
    case 'event':
      return (
        <>
          {isAboutSelf ? 'Event' : <>{named}: event</>} {evidence.reason}
          {ago(evidence.at)}
          {evidence.count > 1 && `, ${evidence.count} times`}: <q>{evidence.message}</q>
        </>
      );
    case 'log': {
      const { ref, container, previous } = evidence;
      const search = new URLSearchParams({
        view: 'logs',
        container,
        ...(previous ? { previous: 'true' } : {}),
      });
      const path = objectPath(refIn(Number(cluster), ref));
      return (
        <>
          {named}:{' '}
          {path === undefined ? (
            `log of ${container}`
          ) : (
            <PlaceLink href={`${path}?${search.toString()}`}>
              log of {container}
              {previous && ', the run before'}
            </PlaceLink>
          )}
          {ago(evidence.at)}
          {evidence.line !== undefined && (
            <>
              : <q className="font-mono">{evidence.line}</q>
            </>
          )}
        </>
      );
    }
    case 'object':
      return evidence.exists ? (
        <>{named} exists</>
      ) : (
        <>
          {kindLabel(evidence.ref.kind)} {evidence.ref.name} does not exist
        </>
      );
    default:
      return evidence satisfies never;
  }
}
