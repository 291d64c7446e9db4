type Defined<Parts> = {[Name in keyof Parts]?: Exclude<Parts[Name], undefined>}

/** The parts that have a value, in their order: for objects in which a missing part has no name either. */
export function defined<Parts extends object>(parts: Parts): Defined<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Defined<Parts>
}
