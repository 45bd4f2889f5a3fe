import type { GlobalSettings } from '../../../contract/cluster-settings.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Select } from '../../kit/Select.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useMutation } from '@tanstack/react-query';

type ChatMode = GlobalSettings['chatMode'];

const options: readonly { readonly value: ChatMode; readonly label: string }[] = [
  { value: 'model', label: 'Rules, and the model if there is one' },
  { value: 'rules', label: 'The rules alone' },
  { value: 'off', label: 'Off' },
];

interface ChatChoiceProps {
  readonly saved: ChatMode;
  readonly save: (mode: ChatMode) => Promise<void>;
}

/** Who answers in the chat of a cluster. */
export function ChatChoice({ saved, save }: ChatChoiceProps) {
  const saving = useMutation({ mutationFn: save });
  return (
    <SetCard title="AI Chat">
      <p className="text-text-2">
        The rules answer within the console. A model is told what is asked and what it looks up, without
        secrets; the chat shows the model’s name and address.
      </p>
      <ErrorAlert error={saving.error} />
      <div className="max-w-120">
        <Select
          label="Answered by"
          options={options}
          value={saved}
          isLoading={saving.isPending}
          onChange={(value) => {
            const chosen = options.find((one) => one.value === value)?.value;
            if (chosen !== undefined && chosen !== saved) saving.mutate(chosen);
          }}
        />
      </div>
    </SetCard>
  );
}
