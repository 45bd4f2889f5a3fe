import { useState } from 'react';
import { type ChatModel, highestTokenLimit, tokenLimits } from '../../../contract/chat-model.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { UsageBar } from '../../kit/UsageBar.tsx';
import { useForm } from '../../kit/use-form.ts';

const inWords = (tokens: number) => tokens.toLocaleString('en');
/** A limit as typed; null for the default, undefined for what is no limit. */
const limitOf = (typed: string): number | null | undefined => {
  const text = typed.replaceAll(/[\s,]/g, '');
  if (text === '') return null;
  return /^\d+$/.test(text) && Number(text) <= highestTokenLimit ? Number(text) : undefined;
};

/** How many tokens may be used on a day, and what was used today. */
export function TokenBudget({ chatModel }: { readonly chatModel: ChatModel }) {
  const { personLimit, companyLimit, usedToday, entered, environment } = chatModel;
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const [person, setPerson] = useState(personLimit === null ? '' : String(personLimit));
  const [company, setCompany] = useState(companyLimit === null ? '' : String(companyLimit));
  const next = { personLimit: limitOf(person), companyLimit: limitOf(company) };
  const form = useForm(async () => {
    const saved = await api.setChatBudget({
      body: { personLimit: next.personLimit ?? null, companyLimit: next.companyLimit ?? null },
    });
    queryClient.setQueryData(queries.chatModel.queryKey, saved);
    services.toast.success('Limits saved');
  });
  const isOperators = entered === null && environment !== null;
  const set = companyLimit ?? tokenLimits.company;
  const allowed = isOperators ? Math.min(set, tokenLimits.company) : set;
  const figure = `${inWords(usedToday.company)} of ${inWords(allowed)} tokens`;
  return (
    <SetCard title="Tokens a day">
      <p className="text-text-2">
        Counted from midnight (UTC). Once they are used up, the rules answer alone. 0 turns the model off.
        {isOperators && ' Limits above the defaults apply only to a model of your own.'}
      </p>
      <div className="max-w-120">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="font-medium">Used today</h3>
          <span className="tabular-nums">{figure}</span>
        </div>
        <UsageBar share={allowed === 0 ? 1 : usedToday.company / allowed} label={`Used today: ${figure}`} />
        {usedToday.people.length > 0 && (
          <FactList className="mt-2">
            {usedToday.people.map(({ name, used }, place) => (
              // People may share a name; the order is that of their use.
              <Fact key={`${place} ${name}`} name={name}>
                <span className="tabular-nums">{inWords(used)}</span>
              </Fact>
            ))}
          </FactList>
        )}
      </div>
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Tokens a day">
        <ErrorAlert error={form.failure} />
        <TextField
          label="For each person"
          inputMode="numeric"
          autoComplete="off"
          placeholder={inWords(tokenLimits.person)}
          help={`Empty: ${inWords(tokenLimits.person)}.`}
          value={person}
          error={form.issue('personLimit')}
          onChange={({ target }) => setPerson(target.value)}
        />
        <TextField
          label="For the organisation"
          inputMode="numeric"
          autoComplete="off"
          placeholder={inWords(tokenLimits.company)}
          help={`Empty: ${inWords(tokenLimits.company)}.`}
          value={company}
          error={form.issue('companyLimit')}
          onChange={({ target }) => setCompany(target.value)}
        />
        <SaveRow
          form={form}
          isChanged={next.personLimit !== personLimit || next.companyLimit !== companyLimit}
          reason={
            next.personLimit === undefined || next.companyLimit === undefined
              ? `A limit is a whole number up to ${inWords(highestTokenLimit)}.`
              : undefined
          }
        />
      </form>
    </SetCard>
  );
}
