const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant (epoch milliseconds) with this machine's offset, as a person's mail program writes it. RFC 5322 3.3. */
export function dateHeader(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const eastMinutes = -date.getTimezoneOffset();
  const hours = Math.floor(Math.abs(eastMinutes) / 60);
  const offset = `${eastMinutes < 0 ? '-' : '+'}${two(hours)}${two(Math.abs(eastMinutes) % 60)}`;
  const day = `${WEEKDAYS[date.getDay()]}, ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${offset}`;
}
