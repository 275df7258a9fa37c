import { z } from 'zod'

/** The members of an object, by name; undefined if it is none. */
export function membersOf(
  schema: z.core.$ZodType | undefined,
): Readonly<Record<string, z.ZodType>> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return membersOf(schema.unwrap())
  if (schema instanceof z.ZodLazy) return membersOf(schema.unwrap())
  // Of a body that is transformed, what goes in.
  if (schema instanceof z.ZodPipe) return membersOf(schema.in)
  return undefined
}

/** Whether a schema takes a value. One that throws, as one with an asynchronous check does, takes nothing. */
export function takes(schema: z.ZodType, value: unknown): boolean {
  try {
    return schema.safeParse(value).success
  } catch {
    return false
  }
}
