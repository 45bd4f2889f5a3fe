import { useUsageMessage } from './use-usage-samples.ts';

/** Says beside a list why its columns of usage are empty. */
export function UsageNote({ list }: { readonly list: string }) {
  const message = useUsageMessage(list);
  return message === null ? null : (
    <span className="sec small trunc" role="status" title={message}>
      {message}
    </span>
  );
}
