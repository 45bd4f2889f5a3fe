import type { JoinedValues } from '../../../contract/live.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type {
  BorrowedSection,
  FieldSection,
  RelatedObject,
  TableSection,
} from '../../../registry/kinds/kind.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { fullKind } from '../../core/kinds/full.ts';
import { kindNameOf } from '../../core/kinds/names.ts';
import { useLive } from '../../data/live/use-live.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { Section } from '../../kit/Section.tsx';
import { useView } from '../../workspace/view.ts';
import { DetailCell } from './DetailCell.tsx';
import { FieldTable } from './FieldTable.tsx';
import { Joined } from './Joined.tsx';
import { isAwaited } from './DetailState.tsx';
import { targetOf } from './target.ts';
import { useFieldHref } from './use-field-href.ts';

interface OwnSectionProps {
  readonly section: FieldSection<KubeObject> | TableSection<KubeObject> | BorrowedSection<KubeObject>;
  readonly self: ObjectRef;
  readonly object: KubeObject;
  readonly joined: JoinedValues;
  /** The server's clock, ms. */
  readonly now: number;
}

/** A section that the kind itself declares. */
export function OwnSection({ section, self, object, joined, now }: OwnSectionProps) {
  const hrefOf = useFieldHref(self.cluster, self.namespace);
  if ('of' in section) {
    const other = section.of(object);
    return other === undefined ? null : (
      <Borrowed title={section.title} cluster={self.cluster} other={other} now={now} />
    );
  }
  if ('rows' in section) return <TableOf section={section} self={self} object={object} now={now} />;
  return (
    <Section title={section.title}>
      <FactList>
        {section.fields.map(({ label, format, value, links }) => (
          <Fact key={label} name={label}>
            <DetailCell format={format} value={value(object)} now={now} href={hrefOf(links)} />
          </Fact>
        ))}
        <Joined joined={joined} self={self} />
      </FactList>
    </Section>
  );
}

interface TableOfProps {
  readonly section: TableSection<KubeObject>;
  /** Whose table it is: what it names without a namespace is in that of this object. */
  readonly self: Pick<ObjectRef, 'cluster' | 'namespace'>;
  readonly object: KubeObject;
  readonly now: number;
}

function TableOf({ section, self, object, now }: TableOfProps) {
  const { title, rows, empty } = section;
  // Without a sentence for it, nothing is said of what the object lacks.
  if (rows(object).length === 0 && empty?.(object) === undefined) return null;
  return (
    <Section title={title}>
      <TableOrSentence section={section} label={title} self={self} object={object} now={now} />
    </Section>
  );
}

/** The rows of a table, or what it says without any. */
function TableOrSentence({
  section: { columns, rows, empty },
  label,
  self,
  object,
  now,
}: TableOfProps & { readonly label: string }) {
  const hrefOf = useFieldHref(self.cluster, self.namespace);
  const cells = rows(object);
  const nothing = cells.length === 0 ? empty?.(object) : undefined;
  return nothing === undefined ? (
    <FieldTable label={label} columns={columns} rows={cells} now={now} hrefOf={hrefOf} />
  ) : (
    <p className="text-text-2">{nothing}</p>
  );
}

interface BorrowedProps {
  readonly title: string;
  readonly cluster: string;
  readonly other: RelatedObject;
  readonly now: number;
}

/** The tables of another object, or why they cannot be shown. */
function Borrowed({ title, cluster, other, now }: BorrowedProps) {
  const { apiVersion, kind, namespace, name } = other;
  const { isVisible } = useView();
  const id = kindNameOf(apiVersion, kind);
  const known = id === undefined ? undefined : kindById(id);
  const ref: ObjectRef | undefined = known && {
    cluster,
    kind: known.id,
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
  const data = useLive(ref && targetOf(ref), isVisible);
  if (known === undefined) return null;
  const object = data?.gone === undefined ? (data?.view?.object as KubeObject | undefined) : undefined;
  const tables = fullKind(known.id, known).sections.filter(
    (section) => typeof section !== 'string' && 'rows' in section,
  );
  const problem =
    data?.gone !== undefined
      ? `${kind} ${name} does not exist, so this gives nothing.`
      : (data?.ended?.title ?? (isAwaited(data) ? undefined : data?.state.message));
  return (
    <Section
      title={title}
      about={
        <>
          by {kind} <ObjectLink to={ref}>{name}</ObjectLink>
        </>
      }
    >
      {object === undefined && problem !== undefined && <p className="text-text-2">{problem}</p>}
      {object !== undefined &&
        tables.map((table) => (
          <TableOrSentence
            key={table.title}
            section={table}
            label={title}
            self={ref ?? { cluster }}
            object={object}
            now={now}
          />
        ))}
    </Section>
  );
}
