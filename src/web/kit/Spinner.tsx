import { LoaderCircle } from 'lucide-react';

/** A page-wide wait; `label` says for what. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-2.5 text-text-3" role="status">
      <LoaderCircle className="animate-spin" size={22} strokeWidth={1.75} aria-hidden="true" />
      <span>{label}</span>
    </div>
  );
}
