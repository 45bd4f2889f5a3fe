/** Text of code, line by line: YAML, logs, values. */
export const codeLook = 'mono leading-4.5 [tab-size:2]';
/** Code that goes on in the next line where it finds no room. */
export const wrappedCodeLook = `${codeLook} wrap-anywhere whitespace-pre-wrap`;
