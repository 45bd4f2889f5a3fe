import { LoaderCircle } from 'lucide-react';

/** A page-wide wait; `label` says for what. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <div className="waiting" role="status">
      <LoaderCircle className="spin" size={22} strokeWidth={1.75} aria-hidden="true" />
      <span>{label}</span>
    </div>
  );
}
