import { Breakable } from '../../kit/Breakable.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import type { RelatedLine } from './related.ts';
import { Section } from '../../kit/Section.tsx';

/** Says that an object does not exist, as trouble unless it need not exist. */
function Absence({ absence }: { readonly absence: NonNullable<RelatedLine['absence']> }) {
  if (absence === 'trouble') return <StatusText tone="warn" label="does not exist" />;
  return <span>{absence === 'optional' ? 'does not exist (optional)' : 'does not exist'}</span>;
}

/** The objects that an object uses, by kind. */
export function Related({ lines }: { readonly lines: readonly RelatedLine[] }) {
  if (lines.length === 0) return null;
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  const title = lines.every(({ relation }) => relation === 'targets') ? 'About' : 'Uses';
  return (
    <Section title={title}>
      <FactList>
        {kinds.map((kind) => (
          <Fact key={kind} name={<Breakable text={kind} />}>
            {lines
              .filter((line) => line.kind === kind)
              .map((line) => (
                <div key={line.name}>
                  <ObjectLink to={line.ref}>{line.name}</ObjectLink>
                  {line.absence !== undefined && (
                    <>
                      {' '}
                      <Absence absence={line.absence} />
                    </>
                  )}
                </div>
              ))}
          </Fact>
        ))}
      </FactList>
    </Section>
  );
}
