import { useState } from 'react';
import { type ChatModel, type DataClass, dataClasses } from '../../../contract/chat-model.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';

const classTitles: Readonly<Record<DataClass, string>> = {
  configMapValues: 'Values of ConfigMaps',
  arguments: 'Arguments and commands of containers',
  logLines: 'Log lines',
  annotations: 'Values of annotations',
};

/** The data of clusters that the model is sent; each class can be forbidden. */
export function WithheldData({ chatModel: { withheld } }: { readonly chatModel: ChatModel }) {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const [chosen, setChosen] = useState<ReadonlySet<DataClass>>(new Set(withheld));
  const next = dataClasses.filter((one) => chosen.has(one));
  const form = useForm(async () => {
    const saved = await api.setChatData({ body: { withheld: next } });
    queryClient.setQueryData(queries.chatModel.queryKey, saved);
    services.toast.success('Data sent to the model saved');
  });
  return (
    <SetCard title="Data sent to the model">
      <p className="text-text-2">
        The model receives these when an answer needs them, without values whose keys name secrets, such as
        pin, code or token. What is not selected is never sent.
      </p>
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Data sent to the model">
        <ErrorAlert error={form.failure} />
        {dataClasses.map((one) => (
          <CheckLine
            key={one}
            checked={!chosen.has(one)}
            onChange={({ target }) => {
              const left = new Set(chosen);
              if (target.checked) left.delete(one);
              else left.add(one);
              setChosen(left);
            }}
          >
            {classTitles[one]}
          </CheckLine>
        ))}
        <SaveRow form={form} isChanged={next.join(' ') !== withheld.join(' ')} />
      </form>
    </SetCard>
  );
}
