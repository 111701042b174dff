const comma = 44;
const zero = 48;

function countOf(list: string): number {
  if (list === '') return 0;
  let count = 1;
  for (let at = list.indexOf(','); at !== -1; at = list.indexOf(',', at + 1)) count += 1;
  return count;
}

/** The whole numbers in a list such as "3,10,11". A database builds such a list several times faster than a row for each number. */
export function numbersIn(list: string): Float64Array {
  const numbers = new Float64Array(countOf(list));
  let at = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    let number = 0;
    for (let code = list.charCodeAt(at); at < list.length && code !== comma; code = list.charCodeAt(++at)) number = number * 10 + code - zero;
    numbers[index] = number;
    at += 1;
  }
  return numbers;
}
