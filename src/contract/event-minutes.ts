/** The period in which the events of a dashboard are counted, minutes. */
export const eventMinutes = 60;
