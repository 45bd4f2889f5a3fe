import { Download } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { Badge } from '../../kit/Badge.tsx';
import { IconButton } from '../../kit/Button.tsx';
import { CopyIcon } from '../../kit/CopyButton.tsx';
import { saveText } from '../../kit/save.ts';
import { CardHead } from './CardHead.tsx';
import { createTexts } from './messages.ts';
import { readFiles } from './read-files.ts';

const { fileName } = createTexts;

interface EditorCardProps {
  readonly text: string;
  /** Files that were dropped or pasted, as one text. */
  readonly onFiles: (text: string) => void;
  readonly children: ReactNode;
}

/** The frame of the editor: copy, download, and files that are dropped on it or pasted into it. */
export function EditorCard({ text, onFiles, children }: EditorCardProps) {
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const take = (files: readonly File[]) => {
    setError(undefined);
    readFiles(files).then(onFiles, (failure: unknown) =>
      setError(failure instanceof Error ? failure.message : 'The file could not be read.'),
    );
  };
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- files may be dropped anywhere on it; pasting them does the same
    <section
      className={`flex min-w-0 flex-col overflow-hidden rounded-md border bg-surface ${isOver ? 'border-focus' : 'border-border'}`}
      aria-label="YAML"
      onDragOverCapture={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDropCapture={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        take([...event.dataTransfer.files]);
      }}
      onPasteCapture={(event) => {
        const files = [...event.clipboardData.files];
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        take(files);
      }}
    >
      <CardHead>
        <span className="font-mono text-(length:--text-sm) text-text-2">{fileName}</span>
        {isOver && <span className="text-text-2">Drop YAML files to open them here</span>}
        {error !== undefined && (
          <Badge tone="bad" role="alert">
            {error}
          </Badge>
        )}
        <span className="min-w-0 flex-1" />
        <CopyIcon label="Copy YAML" text={() => text} />
        <IconButton label={`Download ${fileName}`} size="sm" onClick={() => saveText(fileName, text)}>
          <Download size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </CardHead>
      {children}
    </section>
  );
}
