/** Makes each value once, as long as there are not too many: the same texts come again and again. */
export function remember<Value>(make: (text: string) => Value, most = 10_000): (text: string) => Value {
  const made = new Map<string, {value: Value}>()
  return (text) => {
    const known = made.get(text)
    if (known) return known.value
    if (made.size >= most) made.clear()
    const value = make(text)
    made.set(text, {value})
    return value
  }
}
