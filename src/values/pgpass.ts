/** What a line of a password file of PostgreSQL is for; a field `*` stands for all. */
export type Login = {host: string; port: number; database: string; user: string}

/** The password of the first line that fits. Host and others may hold `\:` and `\\`. */
export function findInPasswordFile(text: string, {host, port, database, user}: Login): string | undefined {
  const asked = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields = line.match(/(?:\\.|[^:\\])+/g)?.map((field) => field.replace(/\\(.)/g, '$1')) ?? []
    const isRight = asked.every((value, place) => fields[place] === '*' || fields[place] === value)
    const password = toPassword(line)
    if (isRight && password) return password
  }
  return undefined
}

/** All behind the fourth colon, which may hold colons itself. */
function toPassword(line: string): string | undefined {
  const [, rest] = /^(?:(?:\\.|[^:\\])+:){4}(.+)$/.exec(line) ?? []
  return rest?.replace(/\\(.)/g, '$1')
}
