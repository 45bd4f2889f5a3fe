import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ObjectWriter, type WriteAct, writtenLimit } from '../../../contract/writers.ts';
import type { JsonPath } from '../../../kube/json-diff.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { useData } from '../../data/port.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { plainRef, qualifiedName, refIn } from './acting.ts';

/** Delay before the writers of a wish are looked for, ms: arguments are typed letter by letter. */
const settleTime = 250;

interface WriterNotesProps {
  /** Objects of one cluster. */
  readonly refs: readonly [ObjectRef, ...ObjectRef[]];
  readonly act?: WriteAct;
  /** Fields that are about to change; writers of other fields are left out. */
  readonly paths?: readonly JsonPath[];
  /** In place of paths: the action that is about to run. */
  readonly action?: { readonly id: string; readonly args: Readonly<Record<string, unknown>> };
  /** Heading of the sentences: `Who writes it next`. */
  readonly title: string;
}

/**
 * Says which tools and controllers write objects next, and how soon. It is a notice: nothing waits for it, and nothing
 * shows where there are none. Writers that cannot be looked for are named with the reason.
 */
export function WriterNotes({ refs, act = 'change', paths, action, title }: WriterNotesProps) {
  const { api } = useData();
  const clusterId = Number(refs[0].cluster);
  const { data, error } = useQuery({
    queryKey: ['writers', refs, act, paths, action],
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      await new Promise((done) => setTimeout(done, settleTime));
      signal.throwIfAborted();
      return await api.objectWriters(
        {
          params: { clusterId },
          body: {
            refs: refs.slice(0, writtenLimit).map(plainRef),
            act,
            ...(paths === undefined ? {} : { paths: paths.map((path) => [...path]) }),
            ...(action === undefined ? {} : { action: { id: action.id, args: { ...action.args } } }),
          },
        },
        { signal },
      );
    },
  });
  const written = data?.objects.filter(({ writers }) => writers.length > 0) ?? [];
  const notes = [
    ...(error === null ? [] : [`They could not be looked for: ${sentenceOf(error)}`]),
    ...(data?.notes ?? []),
    ...(written.length > 0 && refs.length > writtenLimit
      ? [`Only the first ${writtenLimit} objects were looked at.`]
      : []),
  ];
  return (
    <div role="status" className="empty:hidden" data-part="writers">
      {(written.length > 0 || notes.length > 0) && (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <div className="min-w-0 flex-1">
            <b className="font-semibold">{title}</b>
            <ul className="flex flex-col gap-1">
              {written.flatMap(({ ref, writers }) =>
                writers.map((writer) => (
                  <WriterLine
                    key={`${qualifiedName(ref)} ${writer.label}`}
                    writer={writer}
                    clusterId={clusterId}
                    subject={refs.length > 1 ? qualifiedName(ref) : undefined}
                  />
                )),
              )}
            </ul>
            {notes.map((note) => (
              <p key={note} className="text-text-2">
                {note}
              </p>
            ))}
          </div>
        </Note>
      )}
    </div>
  );
}

interface WriterLineProps {
  readonly writer: ObjectWriter;
  readonly clusterId: number;
  /** The object that it is about, where there are several. */
  readonly subject: string | undefined;
}

function WriterLine({ writer, clusterId, subject }: WriterLineProps) {
  const { sentence, ref, syncState, evidence } = writer;
  return (
    <li className="wrap-anywhere">
      {subject !== undefined && <b className="font-semibold">{subject}: </b>}
      {sentence} {syncState !== undefined && `It is ${syncState} now. `}
      {ref !== undefined && (
        <ObjectLink to={refIn(clusterId, ref)}>
          {kindLabel(ref.kind)} {ref.name}
        </ObjectLink>
      )}
      <ul className="text-(length:--text-xs) text-text-2" aria-label="What shows it">
        {evidence.map(({ path, value }) => (
          <li key={path}>
            <code>{path}</code>
            {value !== '' && `: ${value}`}
          </li>
        ))}
      </ul>
    </li>
  );
}
