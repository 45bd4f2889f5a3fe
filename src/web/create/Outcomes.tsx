import { Glyph } from '../ui/marks.tsx';
import type { DocumentOutcome } from './use-create.ts';

/** What became of each document, once there are several or one failed among them. */
export function Outcomes({ outcomes }: { readonly outcomes: readonly DocumentOutcome[] }) {
  if (outcomes.length < 2) return null;
  const failed = outcomes.filter(({ ok }) => !ok).length;
  return (
    <section className="card outcomes" aria-label="Outcomes">
      <p className="semi">
        {outcomes.length - failed} of {outcomes.length} created
        {failed > 0 && '. Mend the others and retry: what is created already is not sent again.'}
      </p>
      <ul>
        {outcomes.map(({ ok, title, message }, index) => (
          <li key={`${index} ${title}`} className="row">
            <Glyph tone={ok ? 'ok' : 'bad'} size={11} />
            <span>
              <b className="semi">{title}</b> {ok ? 'created' : message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
