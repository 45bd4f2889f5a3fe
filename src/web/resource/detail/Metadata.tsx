import type { KubeObject } from '../../../kube/object.ts';
import { formatAge } from '../../../kube/age.ts';
import { Labels } from './DetailCell.tsx';
import type { RelatedLine } from './related.ts';
import { ObjectLink } from './ObjectLink.tsx';
import { Section } from './Section.tsx';

interface MetadataProps {
  readonly object: KubeObject;
  readonly owners: readonly RelatedLine[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** Longest annotation shown whole. */
const longest = 300;
const pairs = (map: Readonly<Record<string, string>> | undefined) => Object.entries(map ?? {});

/** Labels, annotations, owners, finalizers and when it was made. */
export function Metadata({ object, owners, now }: MetadataProps) {
  const {
    labels,
    annotations,
    finalizers = [],
    creationTimestamp,
    deletionTimestamp,
    uid,
  } = object.metadata ?? {};
  const time = (iso: string) =>
    `${new Date(iso).toLocaleString()} (${formatAge((now - Date.parse(iso)) / 1000)} ago)`;
  return (
    <Section title="Metadata">
      <dl className="kv">
        {creationTimestamp !== undefined && (
          <>
            <dt>Created</dt>
            <dd>{time(creationTimestamp)}</dd>
          </>
        )}
        {deletionTimestamp !== undefined && (
          <>
            <dt>Deletion</dt>
            <dd>{time(deletionTimestamp)}</dd>
          </>
        )}
        {owners.length > 0 && (
          <>
            <dt>Owner</dt>
            <dd>
              {owners.map((owner) => (
                <div key={`${owner.kind}/${owner.name}`}>
                  {owner.kind} <ObjectLink to={owner.ref}>{owner.name}</ObjectLink>
                </div>
              ))}
            </dd>
          </>
        )}
        <dt>Labels</dt>
        <dd>
          {pairs(labels).length === 0 ? (
            <span className="dim">–</span>
          ) : (
            <Labels entries={pairs(labels).map(([key, value]) => `${key}=${value}`)} />
          )}
        </dd>
        {pairs(annotations).length > 0 && (
          <>
            <dt>Annotations</dt>
            <dd>
              <Annotations entries={pairs(annotations)} />
            </dd>
          </>
        )}
        {finalizers.length > 0 && (
          <>
            <dt>Finalizers</dt>
            <dd className="mono">{finalizers.join(', ')}</dd>
          </>
        )}
        <dt>UID</dt>
        <dd className="mono">{uid ?? '–'}</dd>
      </dl>
    </Section>
  );
}

function Annotations({ entries }: { readonly entries: readonly (readonly [string, string])[] }) {
  return entries.map(([key, value]) => (
    <div key={key} className="annotation">
      <span className="mono sec">{key}</span>
      {value.length > longest ? (
        <details>
          <summary className="sub">{value.length} characters</summary>
          <div className="mono break">{value}</div>
        </details>
      ) : (
        <div className="mono break">{value === '' ? <span className="dim">empty</span> : value}</div>
      )}
    </div>
  ));
}
