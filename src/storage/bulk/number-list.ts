const comma = 44;
const zero = 48;

/** The whole numbers in a list such as "3,10,11". A database builds such a list several times faster than a row for each number. */
export function numbersIn(list: string): Float64Array {
  if (list === '') return new Float64Array(0);
  // A number takes two characters at least, with its comma.
  const numbers = new Float64Array((list.length + 1) >> 1);
  let count = 0;
  let number = 0;
  for (let at = 0; at < list.length; at += 1) {
    const code = list.charCodeAt(at);
    if (code === comma) {
      numbers[count] = number;
      count += 1;
      number = 0;
    } else number = number * 10 + code - zero;
  }
  numbers[count] = number;
  return numbers.subarray(0, count + 1);
}
