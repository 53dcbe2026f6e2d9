/* qthread/dictionary.h -- a map from keys to values that any number of tasks and threads use at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys and values are pointers that the dictionary stores and never frees; what a key points to is known to the
 * caller's functions only.  An address may stand for itself or for a number, but NULL is no key.
 *
 *   qt_dictionary *d = qt_dictionary_create(my_equals, my_hash, NULL);
 *   qt_dictionary_put(d, key, value);
 *   value = qt_dictionary_get(d, key);
 *   qt_dictionary_destroy(d);
 *
 * Tasks and other threads may make all of these calls, before qthread_initialize and after qthread_finalize too.  All
 * may run at once on one dictionary, except qt_dictionary_destroy, which must be the last; an iterator is for one
 * caller at a time.  No call suspends a task.  Finding a value takes no lock and never waits.  A call that changes the
 * dictionary may have to wait, for some tens of instructions, for another that changes the same few entries.
 *
 * put, put_if_absent, get and delete each take effect at one instant during the call.  What a task did before it put a
 * value is visible to whoever gets that value.
 *
 * NULL in place of a dictionary or an iterator is allowed everywhere: the call does nothing, and returns what it says
 * below or NULL.
 */
#ifndef QTHREAD_DICTIONARY_H
#define QTHREAD_DICTIONARY_H

#include <stdint.h>

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* The caller's functions.  Equality and hash may be called for any key that is or was in the dictionary, from any
 * thread that uses it.  They must not wait, yield, use the same dictionary, or delete from another.
 *
 * equals    nonzero if two keys are the same
 * hash      equal keys give equal numbers.  The dictionary mixes the number further: identity will do for integers.
 * cleanup   called with a key and its value, or NULL for the value, see below; may do anything */
typedef int (*qt_dict_key_equals_f)(void *, void *);
typedef int (*qt_dict_hash_f)(void *);
typedef void (*qt_dict_cleanup_f)(void *, void *);

/* What an iterator shows: a copy of an entry.  To write to it changes nothing in the dictionary. */
struct list_entry {
	void *value;
	void *key;
	uint64_t hashed_key;            /* after mixing */
	struct list_entry *next;        /* always NULL */
};
typedef struct list_entry list_entry;

typedef struct qt_dictionary qt_dictionary;
typedef struct qt_dictionary_iterator qt_dictionary_iterator;

/* There is qt_dictionary_delete. */
#define DELETE_SUPPORT

/* What qt_dictionary_iterator_create returns in place of an iterator. */
#define ERROR ((void *)(-1))

/* Of historical interest: this dictionary begins small and grows. */
#define BKT_POW 20
#define NO_BUCKETS (1 << BKT_POW)

/* An empty dictionary.  cleanup may be NULL, the others may not.  NULL if one of them is, or without memory. */
qt_dictionary *qt_dictionary_create(qt_dict_key_equals_f eq, qt_dict_hash_f hash, qt_dict_cleanup_f cleanup);

/* Call cleanup(key, value) for every entry, if there is a cleanup, and free the dictionary.  Nobody may be using it;
 * iterators over it may only be destroyed afterwards. */
void qt_dictionary_destroy(qt_dictionary *d);

/* Store the value, in place of the key's old one if there is one: then the dictionary keeps the key that it has, and
 * the caller its own.  Returns the value; NULL if key is NULL, or without memory, and nothing is stored then. */
void *qt_dictionary_put(qt_dictionary *dict, void *key, void *value);

/* Store the value if the key is not there.  Returns the key's value afterwards: the one that was there, or the new
 * one.  NULL if key is NULL, or without memory, and nothing is stored then. */
void *qt_dictionary_put_if_absent(qt_dictionary *dict, void *key, void *value);

/* The key's value; NULL if it is not there. */
void *qt_dictionary_get(qt_dictionary *dict, void *key);

/* Remove the key.  Returns its value; NULL if it was not there.
 *
 * If there is a cleanup it is called with the dictionary's key and NULL, by this thread and before the call returns,
 * but not before every call that might be looking at the key has finished: so it may free the key.  That may take as
 * long as the slowest lookup on another thread, of any dictionary.  The value is the caller's. */
void *qt_dictionary_delete(qt_dictionary *dict, void *key);

/* An iterator that stands before the first entry.  ERROR if dict is NULL, or without memory.
 *
 * Each entry that is there from the iterator's first step to its last is visited exactly once; one that comes or goes
 * meanwhile, once or not at all.  An entry that has been deleted is not visited any more.  The order has no meaning
 * and is the same for all iterators over the same keys. */
qt_dictionary_iterator *qt_dictionary_iterator_create(qt_dictionary *dict);

/* Free an iterator.  The one that qt_dictionary_end returns is left alone; so are NULL and ERROR. */
void qt_dictionary_iterator_destroy(qt_dictionary_iterator *it);

/* Step to the next entry.  NULL at the end, and then for ever.  The result lasts until the next step. */
list_entry *qt_dictionary_iterator_next(qt_dictionary_iterator *it);

/* The entry of the last step; NULL before the first step and at the end. */
list_entry *qt_dictionary_iterator_get(qt_dictionary_iterator const *it);

/* The iterator that stands at the end, and stays there.  It belongs to the dictionary and lasts as long. */
qt_dictionary_iterator *qt_dictionary_end(qt_dictionary *dict);

/* 1 if both stand at the same place of the same dictionary, 0 if not.  Two NULLs are equal. */
int qt_dictionary_iterator_equals(qt_dictionary_iterator *a, qt_dictionary_iterator *b);

/* Another iterator, at the same place.  NULL without memory. */
qt_dictionary_iterator *qt_dictionary_iterator_copy(qt_dictionary_iterator *b);

/* For debugging: a line on stdout for each bucket that is not empty, with its entries. */
void qt_dictionary_printbuckets(qt_dictionary *dict);

#pragma GCC visibility pop
Q_ENDCXX

#endif
