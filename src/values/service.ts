/** A service and key: equal ones give equal answers. */
export type ServiceKey = {baseUrl: string; stage: string; keyFingerprint: string}

/** A service and key with the profile that names them. */
export type ServiceSource = ServiceKey & {profile: string}

/** The address of a service, however it was written: `HTTPS://API.example.com:443/x/` is `https://api.example.com/x`. */
export function serviceOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const {origin, pathname} = new URL(baseUrl)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}

/** Whether two base URLs name the same service. */
export function isSameService(one: string, other: string): boolean {
  return serviceOf(one) === serviceOf(other)
}
