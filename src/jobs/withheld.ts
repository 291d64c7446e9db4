type Environment = Readonly<Record<string, string | undefined>>

/** The names of variables that programs which the user names do not get, for a command that is a job. */
export const withheldVariable = 'VENDORCTL_WITHHELD'

/** Variables that hold secrets of this program. */
export const secretNames = ['VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD', 'VENDORCTL_NOTIFY_URL'] as const
/** Of a database, with its password or without. */
export const addressNames = ['VENDORCTL_BUDGET', 'VENDORCTL_DB'] as const
export const usuallyWithheld: readonly string[] = [...secretNames, ...addressNames, 'PGPASSWORD']

/** The environment of a program that the user names, such as that of `--deliver`. */
export function withoutSecrets(environment: Environment): Environment {
  const withheld = environment[withheldVariable]?.split(' ') ?? usuallyWithheld
  const names = new Set([withheldVariable, ...withheld])
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)))
}
