import { TextFileField } from '../TextFileField.tsx';
import { readKubeconfigFile, useDrop } from './use-drop.ts';

interface KubeconfigFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

/** A kubeconfig that is pasted, dropped or read from a file. */
export function KubeconfigField({ value, onChange, error }: KubeconfigFieldProps) {
  const drop = useDrop(true, onChange);
  return (
    <TextFileField
      label="Kubeconfig"
      fileLabel="Choose a file"
      placeholder="Paste a kubeconfig, or drop the file here"
      rows={8}
      read={readKubeconfigFile}
      value={value}
      onChange={onChange}
      error={error ?? drop.error}
      help="It is stored encrypted and never shown again."
      isOver={drop.isOver}
      {...drop.handlers}
    />
  );
}
