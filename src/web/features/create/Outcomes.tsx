import { cardLook } from '../../kit/card.ts';
import { Glyph } from '../../kit/marks.tsx';
import { WhyNotLack } from '../../kit/WhyNotButton.tsx';
import type { DocumentOutcome } from './use-create.ts';

/** The outcome of each document, if there are several or one failed. */
export function Outcomes({ outcomes }: { readonly outcomes: readonly DocumentOutcome[] }) {
  if (outcomes.length < 2) return null;
  const failed = outcomes.filter(({ ok }) => !ok).length;
  return (
    <section className={`px-3 py-2 ${cardLook}`} aria-label="Outcomes">
      <p className="font-semibold">
        {outcomes.length - failed} of {outcomes.length} created
        {failed > 0 && '. Fix the others and retry: objects that were created are not sent again.'}
      </p>
      <ul>
        {outcomes.map(({ ok, title, message, lacking }, index) => (
          <li key={`${index} ${title}`} className="flex min-w-0 items-baseline gap-1.5">
            <Glyph tone={ok ? 'ok' : 'bad'} size={11} />
            <span>
              <b className="font-semibold">{title}</b> {ok ? 'created' : message}
            </span>
            <WhyNotLack what={`Create ${title}`} lack={lacking} />
          </li>
        ))}
      </ul>
    </section>
  );
}
