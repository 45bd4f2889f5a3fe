import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ObjectWriter, type WriteAct, writtenLimit } from '../../../contract/writers.ts';
import type { JsonPath } from '../../../kube/json-diff.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { useData } from '../../data/port.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { plainRef, qualifiedName, refIn } from './acting.ts';

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
 * shows where there are none or where they cannot be looked for.
 */
export function WriterNotes({ refs, act = 'change', paths, action, title }: WriterNotesProps) {
  const { api } = useData();
  const clusterId = Number(refs[0].cluster);
  const { data } = useQuery({
    queryKey: ['writers', refs, act, paths, action],
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.objectWriters(
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
      ),
  });
  const told = data?.objects.filter(({ writers }) => writers.length > 0) ?? [];
  return (
    <div role="status" className="empty:hidden" data-part="writers">
      {told.length > 0 && (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <div className="min-w-0 flex-1">
            <b className="font-semibold">{title}</b>
            <ul className="flex flex-col gap-1">
              {told.flatMap(({ ref, writers }) =>
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
            {refs.length > writtenLimit && (
              <p className="text-text-2">Only the first {writtenLimit} objects were looked at.</p>
            )}
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
