/**
 * Makes the fields of a form read-only while it is sent: what is typed meanwhile would be lost with the form, or with what
 * its answer puts into it. They keep the focus. The result makes them as they were.
 */
export function holdFields(form: HTMLFormElement): () => void {
  const fields = [...form.elements].filter(
    (field) => (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && !field.readOnly,
  ) as (HTMLInputElement | HTMLTextAreaElement)[];
  for (const field of fields) field.readOnly = true;
  return () => {
    for (const field of fields) field.readOnly = false;
  };
}
