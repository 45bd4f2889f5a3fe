import { filterExamples } from '../../../registry/filter/examples.ts';
import { fieldsOf, type FilterFields } from '../../../registry/filter/fields.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';

interface FilterHelpProps {
  /** What is listed, in lower case. */
  readonly plural: string;
  readonly fields: FilterFields;
  readonly onClose: () => void;
}

/** How filters are written, and the columns of this list by name. */
export function FilterHelp({ plural, fields, onClose }: FilterHelpProps) {
  return (
    <Dialog
      title={`Filter ${plural}`}
      width="form"
      description={<p>Separate terms by spaces. A row must match all of them. Case is ignored.</p>}
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {filterExamples.map(([written, meaning]) => (
          <div key={written} className="col-span-2 grid grid-cols-subgrid">
            <dt className="mono">{written}</dt>
            <dd className="text-text-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="text-text-2">
        Columns here:{' '}
        <span className="mono text-text">
          {fieldsOf(fields)
            .filter(({ sort }) => sort !== 'health')
            .map(({ name }) => name)
            .join(', ')}
        </span>
      </p>
      <p className="text-text-2">Saved filters, links and “:pods /…” in the palette use the same syntax.</p>
    </Dialog>
  );
}
