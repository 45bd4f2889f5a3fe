/** Name of the meta tag with the address of the styles of everything, in a built page. */
export const wholeStylesMeta = 'wheelhouse-styles';
