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
