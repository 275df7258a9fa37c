import { useState } from 'react'

/** A dialog about one thing or, without a subject, about a new one. The subject stays while the dialog fades out. */
export function useDialog<Subject>() {
  const [isOpen, setIsOpen] = useState(false)
  const [subject, setSubject] = useState<Subject>()
  return {
    isOpen,
    subject,
    open(about?: Subject) {
      setSubject(() => about)
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
  }
}
