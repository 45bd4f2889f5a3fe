import { useUsageMessage } from './use-usage-samples.ts';

/** Says beside a list why its columns of usage are empty. */
export function UsageNote({ list }: { readonly list: string }) {
  const message = useUsageMessage(list);
  return message === null ? null : (
    <span className="min-w-0 truncate text-(length:--text-xs) text-text-2" role="status" title={message}>
      {message}
    </span>
  );
}
