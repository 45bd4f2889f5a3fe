/** Where the browser keeps the choices of columns, see `columns.ts`. */
export const columnsKey = 'wheelhouse.columns';
