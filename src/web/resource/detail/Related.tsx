import { Breakable } from '../../ui/Breakable.tsx';
import { ObjectLink } from './ObjectLink.tsx';
import type { RelatedLine } from './related.ts';
import { Section } from './Section.tsx';

/** What an object uses, by kind. */
export function Related({ lines }: { readonly lines: readonly RelatedLine[] }) {
  if (lines.length === 0) return null;
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  const title = lines.every(({ relation }) => relation === 'targets') ? 'About' : 'Uses';
  return (
    <Section title={title}>
      <dl className="kv">
        {kinds.map((kind) => [
          <dt key={kind}>
            <Breakable text={kind} />
          </dt>,
          <dd key={`${kind} names`}>
            {lines
              .filter((line) => line.kind === kind)
              .map((line) => (
                <div key={line.name}>
                  <ObjectLink to={line.ref}>{line.name}</ObjectLink>
                </div>
              ))}
          </dd>,
        ])}
      </dl>
    </Section>
  );
}
